CREATE TABLE leaf_alloc (
  biz_tag varchar(128) NOT NULL PRIMARY KEY,
  max_id bigint NOT NULL DEFAULT 1,
  step int NOT NULL,
  description varchar(256) DEFAULT NULL,
  update_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
);
INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 500, 100);

package shop;

/** What a client sends. */
record Purchase(String item) {}

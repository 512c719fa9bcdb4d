package io.github.leafmint.spring.boot.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.extension.spring.MybatisSqlSessionFactoryBean;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SnowflakeId;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import javax.sql.DataSource;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

class MybatisPlusKeysCheckTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(TestDatabase.properties("leafmint_mybatis"));

    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    static class Application {}

    @TableName("notes")
    static class Given {
        @TableId(type = IdType.INPUT)
        @SegmentId
        Long id;
    }

    @TableName("notes")
    static class Counted {
        @TableId(type = IdType.AUTO)
        @SnowflakeId
        Long id;
    }

    @TableName("notes")
    static class NotTheKey {
        @TableId(type = IdType.ASSIGN_ID)
        Long id;

        @SegmentId("number")
        Long number;
    }

    @TableName("notes")
    static class NotAnnotated {
        @TableId(type = IdType.ASSIGN_ID)
        Note.Id id;
    }

    @TableName("notes")
    static class Assigned {
        @TableId
        @SegmentId
        Long id;
    }

    @TableName("notes")
    static class TaggedByGetter {
        @TableId
        private Long id;

        @SegmentId
        public Long getId() {
            return id;
        }
    }

    interface GivenMapper extends BaseMapper<Given> {}

    interface CountedMapper extends BaseMapper<Counted> {}

    interface NotTheKeyMapper extends BaseMapper<NotTheKey> {}

    interface NotAnnotatedMapper extends BaseMapper<NotAnnotated> {}

    interface AssignedMapper extends BaseMapper<Assigned> {}

    interface TaggedByGetterMapper extends BaseMapper<TaggedByGetter> {}

    private <M> ApplicationContextRunner with(Class<M> mapper) {
        return application.withBean(
                MapperFactoryBean.class, () -> new MapperFactoryBean<>(mapper), definition -> ((AbstractBeanDefinition)
                                definition)
                        .setAutowireMode(AbstractBeanDefinition.AUTOWIRE_BY_TYPE));
    }

    private void assertRefused(Class<?> mapper, String because) {
        with(mapper).run(context -> assertThat(context)
                .getFailure()
                .hasMessageContaining(because + ": write @TableId(type = IdType.ASSIGN_ID) next to it"));
    }

    @Test
    void annotationsThatWouldBePassedOverKeepTheApplicationFromStarting() {
        assertRefused(GivenMapper.class, "@SegmentId of " + Given.class.getName() + ".id, which has IdType.INPUT");
        assertRefused(CountedMapper.class, "@SnowflakeId of " + Counted.class.getName() + ".id, which has IdType.AUTO");
    }

    @Test
    void aTypedKeyThatNamesNoSourceOfIdsKeepsTheApplicationFromStarting() {
        with(NotAnnotatedMapper.class).run(context -> assertThat(context)
                .getFailure()
                .hasMessageContaining("write @SegmentId or @SnowflakeId next to it"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSessions {
        @Bean
        SqlSessionFactory sessions(DataSource database) throws Exception {
            var factory = new MybatisSqlSessionFactoryBean();
            factory.setDataSource(database);
            return factory.getObject();
        }
    }

    @Test
    void sessionsOfTheApplicationMintToo() {
        with(NotTheKeyMapper.class).withUserConfiguration(OwnSessions.class).run(context -> {
            var database = context.getBean(JdbcTemplate.class);
            database.execute("DROP TABLE IF EXISTS notes");
            database.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY, number BIGINT)");
            var note = new NotTheKey();
            context.getBean(NotTheKeyMapper.class).insert(note);
            assertThat(database.queryForObject("SELECT number FROM notes", Long.class))
                    .isEqualTo(1);
        });
    }

    @Test
    void anAnnotatedGetterKeepsTheApplicationFromStarting() {
        with(TaggedByGetterMapper.class).run(context -> assertThat(context)
                .getFailure()
                .hasMessageContaining(TaggedByGetter.class.getName() + ".getId(): annotate the field"));
    }

    @Test
    void theDefaultTypeOfMyBatisPlusIsAccepted() {
        with(AssignedMapper.class).run(context -> assertThat(context).hasNotFailed());
    }
}

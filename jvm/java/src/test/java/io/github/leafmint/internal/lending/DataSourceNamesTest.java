package io.github.leafmint.internal.lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Proxy;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

class DataSourceNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "jdbc:mysql://db/shop?password=s3ntinel&useSSL=false jdbc:mysql://db/shop",
                "jdbc:mysql://u:s3ntinel@db1:3306,v:s3ntinel@db2/shop jdbc:mysql://db1:3306,db2/shop",
                "jdbc:mysql://address=(host=db)(password=s3ntinel)/a jdbc:mysql://address=(host=db)(password=***)/a",
                "jdbc:postgresql://db/shop?currentSchema=a&password=s3ntinel jdbc:postgresql://db/shop?currentSchema=a",
                "jdbc:h2:mem:shop;SCHEMA=a;PASSWORD=s3ntinel jdbc:h2:mem:shop?SCHEMA=a",
                "jdbc:sqlite:/var/shop.db?busy_timeout=5 jdbc:sqlite:/var/shop.db",
                "jdbc:oracle:thin:scott/s3ntinel@//db:1521/shop jdbc:oracle:@//db:1521/shop",
                "jdbc:oracle:thin:scott/s3ntinel@db:1521:shop jdbc:oracle:@db:1521:shop",
                "jdbc:sqlserver://db:1433;databaseName=a;password=s3ntinel jdbc:sqlserver://db:1433?databaseName=a",
                "nonsense nonsense"
            })
    void aUrlIsNamedWithoutSecrets(String url, String name) {
        assertEquals(name, DataSourceNames.ofUrl(url));
    }

    @Test
    void poolsAndDriversAreNamedByTheirProperties() {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:mysql://db/shop?password=s3ntinel");
            pool.setUsername("app");
            pool.setPassword("s3ntinel");
            pool.setSchema("orders");
            assertEquals("HikariDataSource jdbc:mysql://db/shop as app in orders", DataSourceNames.of(pool));
        }
        var postgres = new PGSimpleDataSource();
        postgres.setUrl("jdbc:postgresql://db/shop?currentSchema=a&password=s3ntinel");
        assertEquals(
                "PGSimpleDataSource jdbc:postgresql://db:5432/shop?currentSchema=a in shop.a",
                DataSourceNames.of(postgres));
        var h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:shop");
        h2.setUser("sa");
        assertEquals("JdbcDataSource jdbc:h2:mem:shop as sa", DataSourceNames.of(h2));
        assertEquals(
                "the orders (JdbcDataSource jdbc:h2:mem:shop as sa)",
                DataSourceNames.of(KnownDataSource.of(h2, "the orders", true)));
    }

    @Test
    void dataSourcesThatDoNotSayWhereTheyLeadDiffer() {
        DataSource first = silent();
        DataSource second = silent();
        assertEquals(DataSourceNames.of(first), DataSourceNames.of(first));
        assertNotEquals(DataSourceNames.of(first), DataSourceNames.of(second));
    }

    private static DataSource silent() {
        return (DataSource) Proxy.newProxyInstance(
                DataSourceNamesTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, called, with) -> null);
    }
}

package io.github.leafmint.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.DisposableBean;

/** Says where the generators lease, and closes the pools that are leafmint's after them. */
final class GeneratorSources implements DisposableBean {
    /** The property with the data source that segments are leased through. */
    static final String SEGMENT = "leafmint.segment.data-source";

    private static final String SNOWFLAKE = "leafmint.snowflake.data-source";

    private final LeafmintProperties properties;
    private final DataSourceFinder dataSources;
    private final List<LentDataSource> lent = new ArrayList<>();

    GeneratorSources(LeafmintProperties properties, DataSourceFinder dataSources) {
        this.properties = properties;
        this.dataSources = dataSources;
    }

    /** Returns the URL of the properties, or else the data source. */
    Source ofSegments() {
        LeafmintProperties.Segment segment = properties.segment();
        return segment.url() != null
                ? new Source.Url(segment.url(), segment.username(), segment.password())
                : lent(SEGMENT, segment.dataSource(), segment.username(), segment.password());
    }

    /** Returns the URL or the data source of the properties, or else those of the segments, with another account. */
    Source ofSnowflakes() {
        LeafmintProperties.Segment segment = properties.segment();
        LeafmintProperties.Snowflake snowflake = properties.snowflake();
        if (snowflake.url() != null) {
            return new Source.Url(snowflake.url(), snowflake.username(), snowflake.password());
        }
        if (snowflake.dataSource() == null && segment.url() != null) {
            return new Source.Url(
                    segment.url(),
                    snowflake.username() != null ? snowflake.username() : segment.username(),
                    snowflake.password() != null ? snowflake.password() : segment.password());
        }
        return snowflake.dataSource() == null && segment.dataSource() != null
                ? lent(SEGMENT, segment.dataSource(), snowflake.username(), snowflake.password())
                : lent(SNOWFLAKE, snowflake.dataSource(), snowflake.username(), snowflake.password());
    }

    private Source lent(String property, String name, String username, String password) {
        if (username != null || password != null) {
            String prefix = property.substring(0, property.lastIndexOf('.'));
            throw new UnusableDataSourceException(
                    prefix + ".username and .password are for " + prefix
                            + ".url, which is not set: a data source has an account of its own",
                    property);
        }
        Source reactive = dataSources.findReactive(property, name);
        if (reactive != null) {
            return reactive;
        }
        LentDataSource source = LentDataSource.of(dataSources.find(property, name));
        lent.add(source);
        return new Source.Lent(source.dataSource(), source.isEmbedded());
    }

    @Override
    public void destroy() throws Exception {
        for (LentDataSource source : lent) {
            source.destroy();
        }
    }
}

package io.github.leafmint.spring.boot;

import io.r2dbc.spi.ConnectionFactory;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Finds what a property names, or else the only or primary data source, or connection factory of R2DBC. */
final class DataSourceFinder {
    private static final Log LOG = LogFactory.getLog("io.github.leafmint");
    private static final boolean R2DBC =
            ClassUtils.isPresent("io.r2dbc.spi.ConnectionFactory", DataSourceFinder.class.getClassLoader());

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final String user;

    /** {@code user} is the name of the bean that lives no longer than the data source. */
    DataSourceFinder(ConfigurableListableBeanFactory beans, Environment environment, String user) {
        this.beans = beans;
        this.environment = environment;
        this.user = user;
    }

    /** Returns the data source for a property, whose value may be null. */
    NamedDataSource find(String property, String asked) {
        if (asked != null && isBean(asked, DataSource.class)) {
            return routed(asked, beans.getBean(asked, DataSource.class), property, null);
        }
        NamedBeanHolder<DataSource> only = only(DataSource.class, property, asked);
        return routed(only.getBeanName(), only.getBeanInstance(), property, asked);
    }

    /** Returns the connection factory for a property, whose value may be null; or null if a data source is meant. */
    Source.Reactive findReactive(String property, String asked) {
        return R2DBC ? OfR2dbc.find(this, property, asked) : null;
    }

    private boolean isBean(String name, Class<?> type) {
        return beans.containsBean(name) && beans.isTypeMatch(name, type);
    }

    private <T> NamedBeanHolder<T> only(Class<T> type, String property, String asked) {
        String kind = type.getSimpleName();
        String problem = asked == null ? "" : property + "=" + asked + " is no " + kind + " bean, and ";
        try {
            return beans.resolveNamedBean(type);
        } catch (NoUniqueBeanDefinitionException several) {
            String names = String.join(", ", several.getBeanNamesFound());
            throw new UnusableDataSourceException(
                    problem + "there are several, of which none is primary: " + names, property);
        } catch (NoSuchBeanDefinitionException none) {
            if (none.getBeanType() != type) {
                throw none; // something that the bean needs
            }
            throw new UnusableDataSourceException(problem + "there is no " + kind + " bean", property);
        }
    }

    private NamedDataSource routed(String name, DataSource bean, String property, String asked) {
        beans.registerDependentBean(name, user);
        RoutingTargets routing = RoutingTargets.of(bean, environment);
        if (routing == null) {
            if (asked != null) {
                String problem = property + "=" + asked + " is no DataSource bean, nor a target of \"" + name + "\"";
                throw new UnusableDataSourceException(problem, property);
            }
            return new NamedDataSource(name, bean, property);
        }
        String target = asked != null ? asked : routing.first();
        String names = String.join(", ", routing.targets().keySet());
        if (target == null || !routing.targets().containsKey(target)) {
            String problem = asked != null
                    ? property + "=" + asked + " is no DataSource bean, nor a target of \"" + name + "\", which has "
                    : "the data source \"" + name + "\" routes without a single default target: it has ";
            throw new UnusableDataSourceException(problem + names, property);
        }
        if (asked == null) {
            LOG.info("leafmint connects through \"" + target + "\", the default of the routing data source \"" + name
                    + "\", which has " + names + "; " + property + " names another one");
        }
        return new NamedDataSource(target, routing.targets().get(target), property);
    }

    private boolean has(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0;
    }

    private static final class OfR2dbc {
        private OfR2dbc() {}

        static Source.Reactive find(DataSourceFinder finder, String property, String asked) {
            boolean isMeant = asked != null
                    ? finder.isBean(asked, ConnectionFactory.class)
                    : finder.has(ConnectionFactory.class) && !finder.has(DataSource.class);
            if (!isMeant) {
                return null;
            }
            String name = asked != null
                    ? asked
                    : finder.only(ConnectionFactory.class, property, null).getBeanName();
            finder.beans.registerDependentBean(name, finder.user);
            return new Source.Reactive(finder.beans.getBean(name, ConnectionFactory.class));
        }
    }
}

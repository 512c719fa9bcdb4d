package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.Series;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;

/**
 * Finds the series that an annotation names.
 *
 * <pre>{@code
 * Series invoices = SeriesBeans.find(beans, "invoice");
 * }</pre>
 */
public final class SeriesBeans {
    private SeriesBeans() {}

    /**
     * Returns the series with a qualifier.
     *
     * @param beans the beans of the application
     * @param name the qualifier, or the name of the bean
     * @return the series
     * @throws InvalidConfigException if there is none, or several
     */
    public static Series find(BeanFactory beans, String name) {
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, Series.class, name);
        } catch (NoSuchBeanDefinitionException none) {
            throw new InvalidConfigException("there is no Series for @SeriesValue(\"" + name
                    + "\"): set leafmint.segment.series." + name
                    + ".period and .zone, or declare a bean with @Qualifier(\""
                    + name + "\")");
        }
    }
}

package io.github.leafmint.persistence;

import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.boot.spi.MetadataSourcesContributor;

/**
 * Makes Hibernate store typed ids as numbers, and refuses a mapping that does not. Hibernate finds it through
 * {@code META-INF/services}.
 *
 * <pre>{@code
 * @Id
 * @SegmentId("order")
 * private OrderId id;
 * }</pre>
 */
public final class TypedIdContributor implements MetadataSourcesContributor, AdditionalMappingContributor {
    /** Creates the contributor. */
    public TypedIdContributor() {}

    @Override
    public void contribute(MetadataSources sources) {
        sources.addPackage(TypedIdContributor.class.getPackageName());
    }

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resources,
            MetadataBuildingContext context) {
        metadata.getTypeConfiguration().getJavaTypeRegistry().forEachDescriptor(TypedIdFinder::refuseSerialized);
    }
}

package io.github.leafmint.spring.boot.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import io.github.leafmint.persistence.SnowflakeId;
import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

class IdAnnotationsTest {
    @SegmentId("order")
    @SnowflakeId
    private Long either;

    @SeriesValue("invoice")
    private String number;

    private Long plain;

    @Test
    void aPropertyWithTwoSourcesIsRefusedWithBoth() {
        assertThatThrownBy(() -> only("either"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessage("Entity.either has @SegmentId and @SnowflakeId: remove one of them");
    }

    @Test
    void theOnlyAnnotationIsFound() {
        assertThat(only("number")).isInstanceOf(SeriesValue.class);
        assertThat(IdAnnotations.areOn(field("number")::isAnnotationPresent)).isTrue();
        assertThat(only("plain")).isNull();
        assertThat(IdAnnotations.areOn(field("plain")::isAnnotationPresent)).isFalse();
    }

    private static Object only(String name) {
        return IdAnnotations.only(field(name)::getAnnotation, "Entity." + name);
    }

    private static Field field(String name) {
        try {
            return IdAnnotationsTest.class.getDeclaredField(name);
        } catch (NoSuchFieldException impossible) {
            throw new AssertionError(impossible);
        }
    }
}

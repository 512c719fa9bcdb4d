package io.github.leafmint;
import org.junit.jupiter.api.Test;
class WarmTest { @Test void warm() {} }

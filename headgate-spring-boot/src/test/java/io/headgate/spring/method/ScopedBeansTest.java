package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Beans that are made for each request, or whenever somebody asks for one. */
class ScopedBeansTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int BEANS = 100;

    /** Looking for annotations takes a hundred times as much. */
    private static final int MOST_BYTES = 1_000;

    @Test
    void areLookedAtForAnnotationsOnce() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
                .run(context -> {
                    LimitPostProcessor processor = context.getBean(LimitPostProcessor.class);
                    make(processor);
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    make(processor);
                    assertThat((THREADS.getCurrentThreadAllocatedBytes() - before) / BEANS)
                            .as("bytes per bean")
                            .isLessThan(MOST_BYTES);
                });
    }

    private static void make(LimitPostProcessor processor) {
        for (int i = 0; i < BEANS; i++) {
            processor.postProcessAfterInitialization(new ArrayList<>(), "list");
        }
    }
}

package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Limits beside others who look at every bean of an application. */
class LateProcessorsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class));

    /** As listeners of queues are noted down, of which nobody else ever asks the context for. */
    @Test
    void limitsWhatOthersNoteDown() {
        application.withUserConfiguration(Listeners.class).run(context -> {
            Listener noted = context.getBean(Noting.class).noted;
            noted.hear();
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(noted::hear);
        });
    }

    @Test
    void deniesTheCallerOfAnAsynchronousMethod() {
        application.withUserConfiguration(Asynchronous.class).run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.hearLater();
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(listener::hearLater);
        });
    }

    /** Libraries have methods for what is not always there; without us nobody looks at them. */
    @Test
    void leavesBeansAloneThatCannotBeRead() {
        application
                .withBean("library", FactoryBean.class, Library::new)
                .run(context -> assertThat(context).hasNotFailed().hasBean("library"));
    }

    static class Listener {
        @RateLimit("1/h")
        public void hear() {}

        @Async
        @RateLimit("1/h")
        public void hearLater() {}
    }

    static class Noting implements BeanPostProcessor, Ordered {

        @SuppressWarnings("NullAway.Init")
        Listener noted;

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof Listener listener) {
                noted = listener;
            }
            return bean;
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    @Configuration
    static class Listeners {
        @Bean
        static Noting noting() {
            return new Noting();
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    @Configuration
    @EnableAsync
    static class Asynchronous {
        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    /** Makes an object with a method that takes what is not on the class path. */
    static class Library implements FactoryBean<Object> {

        @Override
        public Object getObject() throws Exception {
            ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "made/Library", null, "java/lang/Object", null);
            MethodVisitor constructor = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
            constructor.visitVarInsn(Opcodes.ALOAD, 0);
            constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            constructor.visitInsn(Opcodes.RETURN);
            constructor.visitMaxs(0, 0);
            MethodVisitor method = made.visitMethod(Opcodes.ACC_PUBLIC, "use", "(Lmade/NotThere;)V", null, null);
            method.visitInsn(Opcodes.RETURN);
            method.visitMaxs(0, 0);
            made.visitEnd();
            byte[] bytes = made.toByteArray();
            ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    if (name.equals("made.Library")) {
                        return defineClass(name, bytes, 0, bytes.length);
                    }
                    throw new ClassNotFoundException(name);
                }
            };
            return loader.loadClass("made.Library").getConstructor().newInstance();
        }

        @Override
        public Class<?> getObjectType() {
            return Object.class;
        }
    }
}

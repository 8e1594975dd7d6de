package io.headgate.spring.boot.autoconfigure;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/** Binds properties and reports every value that cannot be read, where a {@link Binder} stops at the first. */
record CollectingBinder(Iterable<ConfigurationPropertySource> sources, PlaceholdersResolver placeholders) {

    /** What is written under that name, without the values that cannot be read. */
    <T> T bind(ConfigurationPropertyName name, Bindable<T> target, Consumer<BindException> unread) {
        Set<ConfigurationPropertyName> leftOut = new HashSet<>();
        while (true) {
            try {
                return new Binder(without(leftOut), placeholders).bindOrCreate(name, target, null);
            } catch (BindException e) {
                boolean byUs = !leftOut.isEmpty() && e.getCause() instanceof UnboundConfigurationPropertiesException;
                if (!leftOut.addAll(causes(e))) {
                    throw e;
                }
                if (!byUs) { // an element of which nothing can be read leaves a gap in its list
                    unread.accept(e);
                }
            }
        }
    }

    private List<ConfigurationPropertySource> without(Set<ConfigurationPropertyName> leftOut) {
        return StreamSupport.stream(sources.spliterator(), false)
                .map(source -> source.filter(
                        name -> leftOut.stream().noneMatch(each -> each.equals(name) || each.isAncestorOf(name))))
                .toList();
    }

    /** The properties that cannot be read; an index that follows a gap in a list is one. */
    private static Set<ConfigurationPropertyName> causes(BindException e) {
        if (e.getCause() instanceof UnboundConfigurationPropertiesException gap) {
            Set<ConfigurationPropertyName> unbound = new HashSet<>();
            gap.getUnboundProperties().forEach(each -> unbound.add(each.getName()));
            return unbound;
        }
        ConfigurationProperty property = e.getProperty();
        return Set.of(property == null ? e.getName() : property.getName());
    }
}

package io.headgate.spring.method.expression;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;

/** Converts values in expressions as Spring does, but to text only if they have {@link StableText}: {@code 'user ' + #user}. */
final class TextConverter implements TypeConverter {

    private final TypeConverter usual = new StandardTypeConverter();

    @Override
    public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
        boolean ours = isText(target)
                && source != null
                && (StableText.isMissing(source.getType()) || Principal.class.isAssignableFrom(source.getType()));
        return ours || usual.canConvert(source, target);
    }

    @Override
    public @Nullable Object convertValue(
            @Nullable Object value, @Nullable TypeDescriptor source, TypeDescriptor target) {
        if (isText(target) && value instanceof Principal) {
            return StableText.of(value);
        }
        if (isText(target)) {
            StableText.check(value);
        }
        return usual.convertValue(value, source, target);
    }

    private static boolean isText(TypeDescriptor target) {
        return target.getType() == String.class;
    }
}

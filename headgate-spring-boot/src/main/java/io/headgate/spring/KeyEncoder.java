package io.headgate.spring;

/** Says what a key is called in the store. Two subjects must never have the same name. */
@FunctionalInterface
public interface KeyEncoder {

    /**
     * The name of the key.
     *
     * @param scope what is limited: the name of a rule or method
     * @param subject who is limited
     */
    String encode(String scope, String subject);
}

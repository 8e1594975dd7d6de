package io.headgate.spring;

/** Computes the name of a key in the store. Two subjects must never get the same name. */
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

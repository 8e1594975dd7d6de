package io.headgate.http;

/** Separates what user code may throw without harm from errors that affect the whole process. */
final class Fatal {

    private Fatal() {}

    /**
     * Rethrows a {@link VirtualMachineError}: the JVM is broken or out of memory. A {@link StackOverflowError} is not rethrown,
     * since the stack has been unwound by then.
     */
    static void rethrow(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
    }
}

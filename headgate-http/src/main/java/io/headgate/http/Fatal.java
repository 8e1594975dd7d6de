package io.headgate.http;

/** Tells what a user's code may throw without harm from what the whole process suffers from. */
final class Fatal {

    private Fatal() {}

    /** Throws it if it is not ours to settle: the JVM is broken or out of memory. A stack that overflowed is empty again. */
    static void passOn(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
    }
}

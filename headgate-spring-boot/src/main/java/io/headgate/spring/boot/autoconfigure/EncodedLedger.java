package io.headgate.spring.boot.autoconfigure;

import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.spring.KeyEncoder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A ledger that names its subjects with a {@link KeyEncoder}. */
record EncodedLedger(String scope, Ledger ledger, KeyEncoder encoder) implements Ledger {

    /** The receipt of a refund carries the encoded name. */
    private String name(String subject, Operation operation) {
        return operation instanceof Operation.Refund ? subject : encoder.encode(scope, subject);
    }

    @Override
    public Decision apply(String subject, Operation operation) {
        return ledger.apply(name(subject, operation), operation);
    }

    @Override
    public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
        return ledger.applyAsync(name(subject, operation), operation);
    }

    @Override
    public @Nullable Decision known(String subject, Operation operation) {
        return ledger.known(name(subject, operation), operation);
    }

    @Override
    public boolean remembers() {
        return ledger.remembers();
    }

    @Override
    public Object part(String subject) {
        return ledger.part(encoder.encode(scope, subject));
    }
}

package io.headgate.redis;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Translates what failed at an address into one {@link StoreException}. */
final class Failures {

    /**
     * The prefix of an error in a message. A list of the errors of several cluster nodes names the node before each error; an error
     * in a script starts, up to Redis 6.2, with the position in the script, twice.
     */
    private static final Pattern BEFORE =
            Pattern.compile("^(\\t\\[.+?\\]: )?(ERR )?(Error running script \\(call to \\w+\\): )?(@\\w+: ?\\d+: )*-?");

    private Failures() {}

    static StoreException of(Throwable thrown, String address) {
        Throwable failure = unwrapped(thrown);
        if (failure instanceof StoreException known) {
            return known;
        }
        if (failure instanceof RedisCommandTimeoutException || failure instanceof TimeoutException) {
            return new StoreException(Reason.TIMEOUT, "Redis at " + address + " did not answer in time", failure);
        }
        String said = deepest(failure);
        List<String> complaints =
                said.lines().map(line -> BEFORE.matcher(line).replaceFirst("")).toList();
        for (Complaint complaint : Complaint.values()) {
            if (complaints.stream().anyMatch(each -> each.startsWith(complaint.sign))) {
                return new StoreException(
                        complaint.reason, "Redis at " + address + " " + complaint.meaning + ": " + said, failure);
            }
        }
        if (failure instanceof RedisCommandExecutionException) {
            return new StoreException(Reason.SCRIPT, "Redis at " + address + " rejected a script: " + said, failure);
        }
        return new StoreException(
                Reason.UNREACHABLE, "there is no connection to Redis at " + address + ": " + said, failure);
    }

    /** Whether a connection ended before it was ready, without a known reason. */
    static boolean hasOnlyEnded(Throwable failure) {
        return deepest(failure).contains("closed prematurely");
    }

    /** Whether a node rejected the keys because at present it has only some of them, and another node the rest. */
    static boolean isMoving(StoreException failure) {
        return failure.reason() == Reason.NOT_SERVING
                && failure.getCause() instanceof RedisCommandExecutionException said
                && String.valueOf(said.getMessage()).startsWith(Complaint.TRYAGAIN.name());
    }

    /** The codes that errors of Redis start with, and what they mean. */
    private enum Complaint {
        HEADGATE(Reason.UNREADABLE, "keeps something else there"),
        NOAUTH(Reason.UNAUTHORIZED, "wants a password"),
        WRONGPASS(Reason.UNAUTHORIZED, "does not accept the user name and password"),
        NOPERM(Reason.UNAUTHORIZED, "does not let this user run the script"),
        INSIDE("ACL failure in script", Reason.UNAUTHORIZED, "does not let this user do what the script does"),
        INSIDE_7_0(
                "The user executing the script", Reason.UNAUTHORIZED, "does not let this user do what the script does"),
        READONLY(Reason.READ_ONLY, "is a replica and does not take writes"),
        OOM(Reason.FULL, "has no memory left"),
        LOADING(Reason.NOT_SERVING, "is still loading its data"),
        BUSY(Reason.NOT_SERVING, "is busy with a script"),
        CLUSTERDOWN(Reason.NOT_SERVING, "has no master for the key"),
        TRYAGAIN(Reason.NOT_SERVING, "is moving the key"),
        MASTERDOWN(Reason.NOT_SERVING, "has lost its master"),
        NOREPLICAS(Reason.NOT_SERVING, "has too few replicas to take writes"),
        MISCONF(Reason.NOT_SERVING, "cannot write to its disk");

        final String sign;
        final Reason reason;
        final String meaning;

        Complaint(Reason reason, String meaning) {
            this.sign = name();
            this.reason = reason;
            this.meaning = meaning;
        }

        /** For an error without a code: {@code sign} is how its text starts. */
        Complaint(String sign, Reason reason, String meaning) {
            this.sign = sign;
            this.reason = reason;
            this.meaning = meaning;
        }
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown.getCause();
        boolean wrapper = thrown instanceof CompletionException || thrown instanceof ExecutionException;
        return wrapper && cause != null ? unwrapped(cause) : thrown;
    }

    /** The message nearest to the root cause: the exceptions around it only say that something failed. */
    private static String deepest(Throwable failure) {
        @Nullable Throwable each = failure;
        String said = failure.toString();
        while (each != null) {
            said = each.getMessage() != null ? each.getMessage() : said;
            each = each.getCause();
        }
        return said;
    }
}

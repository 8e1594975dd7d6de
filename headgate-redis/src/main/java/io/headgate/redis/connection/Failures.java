package io.headgate.redis.connection;

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
            return new StoreException(
                    Reason.TIMEOUT, "Redis at " + address + " did not answer within the timeout", failure);
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
        HEADGATE(
                Reason.UNREADABLE,
                "has a value under a key of Headgate that Headgate cannot read; delete that key, or choose another key prefix"),
        NOAUTH(Reason.UNAUTHORIZED, "wants a password; add it to the address"),
        WRONGPASS(Reason.UNAUTHORIZED, "does not accept the user name and password of the address"),
        NOPERM(Reason.UNAUTHORIZED, "does not let this user run scripts; the guide names the commands that it needs"),
        INSIDE("ACL failure in script", Reason.UNAUTHORIZED, Complaint.COMMANDS),
        INSIDE_7_0("The user executing the script", Reason.UNAUTHORIZED, Complaint.COMMANDS),
        READONLY(Reason.READ_ONLY, "is a replica, which accepts no writes; connect to its master"),
        OOM(Reason.FULL, "has no memory left for the state; raise maxmemory"),
        LOADING(Reason.NOT_SERVING, "is still loading its data and answers afterwards"),
        BUSY(Reason.NOT_SERVING, "is busy with a script that has run for too long"),
        CLUSTERDOWN(Reason.NOT_SERVING, "belongs to a cluster that has no master for the key at present"),
        TRYAGAIN(Reason.NOT_SERVING, "is moving the key to another node"),
        MASTERDOWN(Reason.NOT_SERVING, "is a replica that has lost its master"),
        NOREPLICAS(Reason.NOT_SERVING, "accepts no writes, since it has too few replicas"),
        MISCONF(Reason.NOT_SERVING, "accepts no writes, since it cannot save them to its disk");

        private static final String COMMANDS =
                "does not let this user run a command of the script; the guide names those that it needs";

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

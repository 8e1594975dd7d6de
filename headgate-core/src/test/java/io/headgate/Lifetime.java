package io.headgate;

/** An algorithm of a user: so many permits and never more. The state is what was spent. */
public class Lifetime implements Algorithm<Long> {

    private final String id;

    public Lifetime(String id) {
        this.id = id;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Long fresh(Limit limit, long nowMicros) {
        return 0L;
    }

    @Override
    public long waitMicros(Long state, Limit limit, long cost, long nowMicros) {
        return state + cost <= limit.permits() ? 0 : Long.MAX_VALUE;
    }

    @Override
    public Long take(Long state, Limit limit, long cost, long nowMicros) {
        return state + cost;
    }

    @Override
    public long[] encode(Long state) {
        return new long[] {state};
    }

    @Override
    public Long decode(long[] numbers) {
        return numbers[0];
    }
}

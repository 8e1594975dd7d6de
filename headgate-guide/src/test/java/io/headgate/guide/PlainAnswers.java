package io.headgate.guide;

import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import java.util.function.BiConsumer;

// snippet
/** The standard headers, and a plain-text body. */
final class PlainAnswers implements Answers {

    private final Answers usual;

    PlainAnswers(Answers usual) {
        this.usual = usual;
    }

    @Override
    public void headers(Verdict verdict, BiConsumer<String, String> header) {
        usual.headers(verdict, header);
    }

    @Override
    public int status(Verdict denial) {
        return usual.status(denial);
    }

    @Override
    public String contentType() {
        return "text/plain;charset=UTF-8";
    }

    @Override
    public String body(Verdict denial) {
        return "Slow down.";
    }
}
// end

package io.headgate.spring.method;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;

/** Finds {@code #client} and {@code #header('X')} in an expression, and tells where it can do without them. */
final class RequestWords {

    static final String CLIENT = "#client";
    static final String HEADER = "#header";

    private final Collection<String> arguments;
    private final List<Word> words = new ArrayList<>();

    private record Word(SpelNode node, boolean needed) {

        String function() {
            boolean client = node instanceof VariableReference;
            return "#" + (needed ? "needed" : "optional") + (client ? "Client()" : "Header");
        }
    }

    /** @param arguments the names of the arguments, which come before words of the same name */
    private RequestWords(Collection<String> arguments) {
        this.arguments = arguments;
    }

    /** The text with each word replaced by the function of {@link RequestValues} that it stands for; the same text if there is none. */
    static String asFunctions(String text, SpelNode expression, Collection<String> arguments) {
        RequestWords found = new RequestWords(arguments);
        found.find(expression, false);
        found.words.sort(Comparator.comparingInt((Word word) -> word.node.getStartPosition())
                .reversed());
        StringBuilder functions = new StringBuilder(text);
        for (Word word : found.words) {
            functions.replace(word.node.getStartPosition(), word.node.getEndPosition(), word.function());
        }
        return functions.toString();
    }

    /** The names of all headers that the expression reads. */
    static List<String> headers(SpelNode expression) {
        List<String> names = new ArrayList<>();
        if (isHeader(expression)) {
            names.add(String.valueOf(
                    ((StringLiteral) expression.getChild(0)).getLiteralValue().getValue()));
        }
        for (int i = 0; i < expression.getChildCount(); i++) {
            names.addAll(headers(expression.getChild(i)));
        }
        return names;
    }

    static boolean isClient(SpelNode node) {
        return node instanceof VariableReference && node.toStringAST().equals(CLIENT);
    }

    static boolean isHeader(SpelNode node) {
        return node instanceof FunctionReference && node.toStringAST().startsWith(HEADER + "(");
    }

    /** @param needed whether the expression cannot do without the value of the node */
    private void find(SpelNode node, boolean needed) {
        if (isHeader(node) || (isClient(node) && !arguments.contains(CLIENT))) {
            words.add(new Word(node, needed));
            return;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            find(node.getChild(i), isNeeded(node, i, needed));
        }
    }

    private static boolean isNeeded(SpelNode parent, int child, boolean parentNeeded) {
        if (parent instanceof Elvis) {
            return child > 0 && parentNeeded;
        }
        if (parent instanceof Ternary && child > 0) {
            return parentNeeded;
        }
        boolean compared = parent instanceof OpEQ || parent instanceof OpNE;
        boolean nullSafe = parent instanceof CompoundExpression
                && child == 0
                && parent.toStringAST().contains("?.");
        return !compared && !(nullSafe && !parentNeeded);
    }
}

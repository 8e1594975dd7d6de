package io.headgate.spring.method.expression;

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
final class RequestReferences {

    static final String CLIENT = "#client";
    static final String HEADER = "#header";

    private final Collection<String> arguments;
    private final List<Word> words = new ArrayList<>();

    private record Word(SpelNode node, boolean needed, boolean tested) {

        boolean header() {
            return isHeader(node);
        }

        String function() {
            return "#" + (needed ? "needed" : "optional") + (header() ? "Header" : "Client")
                    + (tested ? RequestValues.IN_TEST : "") + (header() ? "" : "()");
        }
    }

    /** @param arguments the names of the arguments, which come before words of the same name */
    private RequestReferences(Collection<String> arguments) {
        this.arguments = arguments;
    }

    private static RequestReferences in(SpelNode expression, Collection<String> arguments) {
        RequestReferences found = new RequestReferences(arguments);
        found.find(expression, false, false);
        return found;
    }

    /** Whether a header may be part of the value of the expression, and is not only tested in it. */
    static boolean yieldHeader(SpelNode expression) {
        return in(expression, List.of()).words.stream().anyMatch(word -> word.header() && !word.tested);
    }

    /** The text with each word replaced by the function of {@link RequestValues} that it stands for; the same text if there is none. */
    static String asFunctions(String text, SpelNode expression, Collection<String> arguments) {
        RequestReferences found = in(expression, arguments);
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

    /**
     * @param needed whether the expression cannot do without the value of the node
     * @param tested whether the value of the node only decides what the value of the expression is
     */
    private void find(SpelNode node, boolean needed, boolean tested) {
        if (isHeader(node) || (isClient(node) && !arguments.contains(CLIENT))) {
            words.add(new Word(node, needed, tested));
            return;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            find(node.getChild(i), isNeeded(node, i, needed), tested || isTested(node, i));
        }
    }

    private static boolean isTested(SpelNode parent, int child) {
        return isComparison(parent) || (parent instanceof Ternary && child == 0);
    }

    private static boolean isComparison(SpelNode node) {
        return node instanceof OpEQ || node instanceof OpNE;
    }

    private static boolean isNeeded(SpelNode parent, int child, boolean parentNeeded) {
        if (parent instanceof Elvis) {
            return child > 0 && parentNeeded;
        }
        if (parent instanceof Ternary && child > 0) {
            return parentNeeded;
        }
        boolean nullSafe = parent instanceof CompoundExpression
                && child == 0
                && parent.toStringAST().contains("?.");
        return !isComparison(parent) && !(nullSafe && !parentNeeded);
    }
}

package io.headgate.spring.method.expression;

import java.util.List;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Rejects expressions that can be parsed but never be evaluated.
 *
 * @param known the variables that exist
 * @param named whether the class file contains the names of the arguments
 * @param request whether the expression may read the request
 */
record ExpressionCheck(String text, List<String> known, boolean named, boolean request) {

    /** @throws IllegalArgumentException if the expression refers to anything but the variables, literals and their members */
    void check(SpelNode expression) {
        check(expression, false);
    }

    /** @param element whether the node is evaluated for each element of a collection, whose properties need no variable before them */
    private void check(SpelNode node, boolean element) {
        if (isOfRequest(node)) {
            checkOfRequest(node);
            return;
        }
        if (isForbidden(node)) {
            throw new IllegalArgumentException("'" + text + "' contains " + node.toStringAST()
                    + ", but an expression can use only the arguments of the method; " + thereAre());
        }
        boolean variable = node instanceof VariableReference;
        boolean elementItself = element && node.toStringAST().equals("#this");
        if (variable && !elementItself && !known.contains(node.toStringAST())) {
            throw new IllegalArgumentException("'" + text + "' refers to " + node.toStringAST()
                    + ", which is not an argument of the method; " + thereAre());
        }
        if (needsOwner(node) && !element) {
            throw new IllegalArgumentException(
                    "'" + text + "' does not say which argument " + node.toStringAST() + " belongs to; " + thereAre());
        }
        checkChildren(node, element);
    }

    private boolean isOfRequest(SpelNode node) {
        return (RequestReferences.isClient(node) && !known.contains(RequestReferences.CLIENT))
                || (RequestReferences.isHeader(node) && !known.contains(RequestReferences.HEADER));
    }

    private void checkOfRequest(SpelNode node) {
        if (!request) {
            throw new IllegalArgumentException("'" + text + "' refers to " + node.toStringAST()
                    + ", which is known only in the key of a method that handles requests; " + thereAre());
        }
        boolean header = RequestReferences.isHeader(node);
        if (header && !(node.getChildCount() == 1 && node.getChild(0) instanceof StringLiteral)) {
            throw new IllegalArgumentException("'" + text + "' contains " + node.toStringAST()
                    + ", but a header needs a name in quotes, such as #header('X-Tenant')");
        }
    }

    private String thereAre() {
        return "the arguments are " + known
                + (named ? "" : ", since the class file does not contain their names: compile it with -parameters");
    }

    private static boolean isForbidden(SpelNode node) {
        return node instanceof BeanReference
                || node instanceof TypeReference
                || node instanceof ConstructorReference
                || node instanceof FunctionReference
                || node instanceof Assign
                || node instanceof OpInc
                || node instanceof OpDec;
    }

    private static boolean needsOwner(SpelNode node) {
        return node instanceof PropertyOrFieldReference
                || node instanceof MethodReference
                || node instanceof Indexer
                || node instanceof Projection
                || node instanceof Selection;
    }

    private void checkChildren(SpelNode node, boolean element) {
        boolean ofElements = element || node instanceof Projection || node instanceof Selection;
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            if (node instanceof CompoundExpression && i > 0 && needsOwner(child)) {
                checkChildren(child, element);
            } else if (!isPlainKey(node, i)) {
                check(child, ofElements);
            }
        }
    }

    /** Whether the child is the key of a map, which needs no quotes: {@code #map[key]}, {@code {key: 1}}. */
    private static boolean isPlainKey(SpelNode node, int child) {
        return node.getChild(child) instanceof PropertyOrFieldReference
                && (node instanceof Indexer || (node instanceof InlineMap && child % 2 == 0));
    }
}

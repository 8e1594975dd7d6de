package io.headgate.guide;

import java.util.List;

/** An SVG picture of lanes over a common time axis, readable on light and dark pages. All coordinates are integers. */
final class Picture {

    private static final int LEFT = 168;
    private static final int RIGHT = 150;
    private static final int TOP = 46;
    private static final int LANE = 34;
    private static final int BAR = 20;
    private static final int SECOND = 4;

    private static final String STYLE = """
            text { font: 13px system-ui, sans-serif; fill: #24292f }
            .small { font-size: 11px; fill: #57606a }
            .bar { stroke: #0969da; stroke-width: 2 }
            .dot { stroke: #8c959f; stroke-dasharray: 1 3 }
            .edge { stroke: #8c959f; stroke-dasharray: 3 3 }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3 }
              .small { fill: #9198a1 }
              .bar { stroke: #4493f8 }
              .dot { stroke: #6e7681 }
              .edge { stroke: #6e7681 }
            }
            """;

    private final int first;
    private final int end;
    private final int lanes;
    private final StringBuilder body = new StringBuilder();
    private int lane;

    /**
     * An empty picture.
     *
     * @param first the second it begins with
     * @param end the second after its last
     */
    Picture(int first, int end, int lanes) {
        this.first = first;
        this.end = end;
        this.lanes = lanes;
    }

    /** Draws a vertical line through all lanes. */
    void edge(int second) {
        int bottom = TOP + lanes * LANE;
        add("<path class=\"edge\" d=\"M%d %dV%d\"/>".formatted(x(second), TOP - 4, bottom));
        add("<text class=\"small\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d:00</text>"
                .formatted(x(second), bottom + 14, second / 60));
    }

    /** Adds a lane: a bar for each second in the list, dots between them. */
    void lane(String name, List<Integer> bars, String remark) {
        int top = TOP + lane++ * LANE;
        StringBuilder all = new StringBuilder();
        bars.forEach(second -> all.append("M%d %dv%d".formatted(x(second) + 1, top, BAR)));
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>".formatted(LEFT - 12, top + BAR - 5, name));
        add("<path class=\"dot\" d=\"M%d %dH%d\"/>".formatted(x(first), top + BAR / 2, x(end)));
        add("<path class=\"bar\" d=\"%s\"/>".formatted(all));
        add("<text class=\"small\" x=\"%d\" y=\"%d\">%s</text>".formatted(x(end) + 10, top + BAR - 6, remark));
    }

    String svg(String title, String caption) {
        int width = x(end) + RIGHT;
        int height = TOP + lanes * LANE + 24;
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
                <title>%s</title>
                <style>
                %s</style>
                <text x="12" y="16">%s</text>
                <text class="small" x="12" y="33">%s</text>
                %s</svg>
                """.formatted(width, height, width, height, title, STYLE, title, caption, body);
    }

    private int x(int second) {
        return LEFT + (second - first) * SECOND;
    }

    private void add(String element) {
        body.append(element).append('\n');
    }
}

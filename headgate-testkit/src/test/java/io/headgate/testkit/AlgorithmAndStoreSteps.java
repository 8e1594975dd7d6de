package io.headgate.testkit;

import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.memory.MemoryStore;

/** Tells each story twice: to the algorithm itself, and to the store in process, which packs some of the states. */
public final class AlgorithmAndStoreSteps {

    private AlgorithmAndStoreSteps() {}

    public static void steps(Limit limit, Step... steps) {
        steps(Plan.of(limit), steps);
    }

    public static void steps(Plan plan, Step... steps) {
        Steps story = Steps.story(plan, steps);
        story.tell();
        ManualTime time = new ManualTime();
        story.tell(new MemoryStore(Headgate.algorithms(), time, 100), time);
    }
}

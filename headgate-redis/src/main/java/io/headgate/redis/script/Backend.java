package io.headgate.redis.script;

import io.headgate.Plan;

/** Where scripts run. */
public interface Backend {

    /** The script of a plan. */
    BoundScript bind(Plan plan);
}

package io.headgate.redis;

import io.headgate.Plan;

/** Where scripts run. */
interface Backend {

    /** The script of a plan. */
    BoundScript bind(Plan plan);
}

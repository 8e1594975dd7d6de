package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.Verdict;
import io.headgate.spring.RuleStore;
import org.springframework.beans.factory.BeanFactory;

/** Checks requests as the adapters do, with the beans of an application. */
final class Checks {

    private Checks() {}

    static Verdict check(BeanFactory beans, RequestView request) {
        return beans.getBean(Gate.class)
                .check(request, beans.getBean(RuleStore.class).get().match(Rule.Stage.HANDLER, request));
    }
}

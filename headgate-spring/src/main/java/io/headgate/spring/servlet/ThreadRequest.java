package io.headgate.spring.servlet;

import io.headgate.http.RequestView;
import io.headgate.spring.CurrentRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The request that Spring MVC handles on the current thread. */
public final class ThreadRequest implements CurrentRequest {

    @Override
    public @Nullable RequestView get() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current
                ? ServletView.called(current.getRequest())
                : null;
    }
}

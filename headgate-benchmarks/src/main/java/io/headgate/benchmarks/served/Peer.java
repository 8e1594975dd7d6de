package io.headgate.benchmarks.served;

import org.springframework.web.servlet.HandlerInterceptor;

/** A hand-written interceptor. */
interface Peer extends HandlerInterceptor {}

package io.headgate.benchmarks.served;

import org.springframework.web.servlet.HandlerInterceptor;

/** An interceptor that somebody wrote by hand. */
interface Peer extends HandlerInterceptor {}

package io.headgate.spring.cloud.gateway;

import io.headgate.spring.cloud.gateway.Gateway.Kind;

class MvcGatewayTest extends GatewayContract {

    MvcGatewayTest() {
        super(Kind.MVC);
    }
}

import type { FastifyRequest } from 'fastify';

/** Headers that proxies, tunnels and content networks add to a request that they forward. */
const forwardingHeaders =
  /^(forwarded|via|x-forwarded.*|x-real-ip|x-original-.*|x-client-ip|x-cluster-client-ip|x-proxyuser-ip|true-client-ip|client-ip|cf-.*|cdn-.*|fastly-.*|x-azure-.*|x-appengine-.*|x-amz.*|x-envoy-.*|x-tunnel.*|x-arr-.*|ngrok-.*)$/;
const localNames = /^(localhost|([a-z0-9-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a request was made on this very machine, by somebody who may use it: from its own address, past no proxy,
 * and under one of its own names, so that no page of another site can make a browser here ask under a name of its own.
 */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  const isLoopback = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  const isForwarded = Object.keys(headers).some((name) => forwardingHeaders.test(name));
  return isLoopback && !isForwarded && localNames.test(headers.host ?? '');
}

/** The one function of swagger-client that the tests use; the package brings no types. */
declare module 'swagger-client' {
  export default function SwaggerClient(options: {
    readonly url: string;
    readonly requestInterceptor?: (request: { headers: Record<string, string> }) => object;
  }): Promise<unknown>;
}

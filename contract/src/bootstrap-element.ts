/** Where the page finds its {@link import('./bootstrap.ts').Bootstrap}. Apart from the schemas, so that reading it costs none of them. */
export const bootstrapElementId = 'bootstrap';

/** Where the page finds its {@link import('./bootstrap.ts').Bootstrap}. In its own file, so that reading it does not load the schemas. */
export const bootstrapElementId = 'bootstrap';

/** Paths of the pages about one labor task. */
export const laborPath = (id: number | string) => `/console/labor/${id}`;
export const labelPath = (id: number | string) => `${laborPath(id)}/label`;
export const judgePath = (id: number | string) => `${laborPath(id)}/judge`;
export const resultsPath = (id: number | string) => `${laborPath(id)}/results`;

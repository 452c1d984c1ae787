export type { ChartFacts } from './chart.ts';
export { chartFonts } from './chart-fonts.ts';
export { drawChart, drawChartPage } from './chart-page.ts';
export { drawChartPdf } from './chart-pdf.ts';
export { drawChartPng } from './chart-png.ts';
export { utf8Mark, writeCsv } from './csv.ts';
export { registerReportRoutes } from './office-routes.ts';
export { mostDays } from './rules.ts';
export { type ReportSubject, readChartFacts, refusePeriod, reportTables } from './tables.ts';

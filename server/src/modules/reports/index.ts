export type { ChartFacts } from './chart.ts';
export { drawChart, drawChartPage } from './chart-page.ts';
export { drawChartPdf } from './chart-pdf.ts';
export { drawChartPng } from './chart-png.ts';
export { writeCsv } from './csv.ts';
export { countDays, countStatusDays, mostDays, type Period, type StatusDay } from './rules.ts';
export {
  type MessageDay,
  type RegistrationDay,
  readAlikeBallots,
  readMessages,
  readRegistrations,
} from './store.ts';

export { type ChartFacts, drawChart, drawChartPage } from './chart.ts';
export { writeCsv } from './csv.ts';
export { countDays, countStatusDays, mostDays, type Period, type StatusDay } from './rules.ts';
export {
  type MessageDay,
  type RegistrationDay,
  readAlikeBallots,
  readMessages,
  readRegistrations,
} from './store.ts';

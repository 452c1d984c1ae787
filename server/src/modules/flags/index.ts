export { changeFlag, defineState, readFlagChange, stateOf } from './change-flag.ts';
export { registerFlagRoutes } from './routes.ts';
export {
  anonymousContext,
  contextOfVoter,
  createFlagEvaluator,
  defineConstant,
  type FlagContext,
  type FlagDefinition,
  type FlagEvaluator,
  findDefinitionProblem,
} from './rules.ts';
export { readFlagDefinitions, saveFlagDefinition } from './store.ts';

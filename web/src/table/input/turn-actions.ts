// What can be done in a turn without naming a tile, whether a key or a typed word asks for it.

import type { TableModel } from '../model/table-model.svelte';

const ACTIONS = {
  draw: (model: TableModel) => model.draw(),
  pass: (model: TableModel) => model.pass(),
  done: (model: TableModel) => model.finish(),
  undo: (model: TableModel) => model.undo(),
  redo: (model: TableModel) => model.redo(),
  reset: (model: TableModel) => model.reset(),
  hint: (model: TableModel) => void model.askHint(),
};

export type TurnAction = keyof typeof ACTIONS;

export function isTurnAction(name: string): name is TurnAction {
  return Object.hasOwn(ACTIONS, name);
}

export function doInTurn(model: TableModel, action: TurnAction): void {
  ACTIONS[action](model);
}

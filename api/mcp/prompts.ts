import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import type { Caller } from '../../shared/kernel/caller.ts';
import { clean } from '../../shared/kernel/text.ts';
import { PROMPTS, type Prompt } from './prompt_texts.ts';
import { toolsNamedIn } from './tool_names.ts';
import { allows, type ToolList } from './tools.ts';

const CHARS_MAX = 500;

/** The prompts whose tools this caller may use and can see. */
export const promptsFor = (caller: Caller, list: ToolList) =>
  usableBy(caller, list).map(({ name, title, description, arguments: takes }) => ({
    name,
    title,
    description,
    arguments: takes,
  }));

const usableBy = (caller: Caller, { tools }: ToolList): Prompt[] =>
  PROMPTS.filter(({ text }) =>
    toolsNamedIn(text({})).every(
      (op) => allows(caller, op) && tools.some(({ name }) => name === op.name),
    ),
  );

/** The prompt with its arguments filled in. */
export function getPrompt(
  caller: Caller,
  list: ToolList,
  request: { name: string; arguments?: Record<string, string> | undefined },
) {
  const prompt = usableBy(caller, list).find(({ name }) => name === request.name);
  if (!prompt) throw bad('There is no such prompt. prompts/list lists all.');
  const values = prompt.arguments.map(({ name }) => {
    const value = clean(request.arguments?.[name] ?? '');
    if (value === '' || value.length > CHARS_MAX) {
      throw bad(`The argument ${name} must be a text of 1 to ${CHARS_MAX} characters.`);
    }
    return [name, value] as const;
  });
  const text = prompt.text(Object.fromEntries(values));
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}

const bad = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

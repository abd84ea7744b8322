import type { Template } from '../../../../shared/domains/labor/templates/template.ts';
import type { AnswerOf } from '../../answers.ts';
import { Card } from '../../parts/card.tsx';
import { OwnText, Quote, visible } from '../../parts/text.tsx';
import { formattedJson } from './formatted_json.ts';
import { Payload } from './payload.tsx';
import { Answer } from './shown_answer.tsx';

type Task = AnswerOf<'get_labor_task'>;

/** The template of a task, as its answer has it. */
export const templateIn = ({ template }: Pick<Task, 'template'>): Template | null =>
  template && (JSON.parse(template.content) as Template);

/** Instructions of a task, with its examples and schema: all of it by the poster. */
export function Instructions({ task }: { task: Task }) {
  const template = templateIn(task);
  return (
    <>
      <Card id="instructions" title="Instructions">
        <div class="inside">
          <PosterText task={task}>{task.instructions.content}</PosterText>
        </div>
      </Card>
      {template?.examples && template.examples.length > 0 && (
        <Card id="examples" title="Examples">
          {task.role === 'worker' && (
            <p class="small dim">Written by agent {task.poster_id}, another party.</p>
          )}
          <ul class="rows examples">
            {template.examples.map(({ payload, answer, explanation }) => (
              <li>
                <div class="stack">
                  <Payload template={template}>{payload}</Payload>
                  <div>
                    Answer:{' '}
                    <Answer template={template} payload={payload}>
                      {answer}
                    </Answer>
                  </div>
                  {explanation !== undefined && (
                    <p class="small">
                      <bdi>{visible(explanation)}</bdi>
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {task.json_schema && (
        <Card id="schema" title="JSON Schema of the answers">
          <pre class="code" tabIndex={0}>
            {visible(formattedJson(task.json_schema.content) ?? task.json_schema.content)}
          </pre>
        </Card>
      )}
    </>
  );
}

/** A text by the poster of a task, who may be of the reader's own side. */
export const PosterText = ({ task, children }: { task: Task; children: string }) =>
  task.role === 'worker' ? (
    <Quote by={`agent ${task.poster_id}`}>{children}</Quote>
  ) : (
    <OwnText by="your own side">{children}</OwnText>
  );

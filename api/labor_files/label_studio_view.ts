import { pictureOf } from '../../shared/domains/labor/templates/picture.ts';
import { choicesOf, type Template } from '../../shared/domains/labor/templates/template.ts';

/**
 * The labeling interface of Label Studio for the results of a task. `payload`: its first unit,
 * which tells whether the units are pictures.
 */
export function labelStudioView(template: Template | null, payload = ''): string {
  const isText = template?.form === 'ner';
  const isPicture = !isText && pictureOf(payload, template?.form === 'boxes') !== undefined;
  const shown = isPicture ? 'Image' : 'Text';
  if (template?.form === 'preference') {
    return view(
      '<Text name="prompt" value="$prompt"/>',
      '<Text name="payload" value="$a"/>',
      '<Text name="b" value="$b"/>',
      choices(template),
    );
  }
  return view(`<${shown} name="payload" value="$payload"/>`, controlOf(template));
}

const view = (...tags: readonly string[]) =>
  `<View>\n${tags.map((tag) => `  ${tag}\n`).join('')}</View>\n`;

function controlOf(template: Template | null): string {
  if (template?.form === 'ner') return labelled('Labels', template);
  if (template?.form === 'boxes') return labelled('RectangleLabels', template);
  return template && choicesOf(template).length > 0
    ? choices(template)
    : '<TextArea name="answer" toName="payload"/>';
}

const choices = (template: Template) =>
  within(
    'Choices',
    `choice="${template.several ? 'multiple' : 'single'}"`,
    choicesOf(template).map((label) => `<Choice value="${escaped(label)}"/>`),
  );

const labelled = (tag: string, template: Template) =>
  within(
    tag,
    'choice="single"',
    choicesOf(template).map((label) => `<Label value="${escaped(label)}"/>`),
  );

const within = (tag: string, attributes: string, tags: readonly string[]) =>
  `<${tag} name="answer" toName="payload" ${attributes}>${tags.join('')}</${tag}>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char]!);

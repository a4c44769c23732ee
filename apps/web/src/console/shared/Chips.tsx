interface ChipsProps<Choice> {
  label: string
  choices: readonly Choice[]
  current: Choice
  textOf: (choice: Choice) => string
  onChoose: (choice: Choice) => void
}

/** Buttons that say which part of a list is shown. */
export function Chips<Choice extends string | boolean | null>(props: ChipsProps<Choice>) {
  const { label, choices, current, textOf, onChoose } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form
    <div className="chips" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={String(choice)}
          type="button"
          className="chip"
          aria-pressed={choice === current}
          onClick={() => onChoose(choice)}
        >
          {textOf(choice)}
        </button>
      ))}
    </div>
  )
}

/** Choose, review, and see what became of it: of withdrawals and of decisions. */
import { useState } from 'react'
import type { List, Operator, Settings } from './answers.rules.ts'
import { DecisionReview } from './DecisionReview.tsx'
import { type ChosenDecisions, DecisionsView } from './Decisions.tsx'
import type { Decision } from './decisions.rules.ts'
import { type Chosen, ListView } from './ListView.tsx'
import { type Row, shownRows } from './list.rules.ts'
import { Notice } from './parts.tsx'
import type { NoKey } from './passkey.rules.ts'
import { Review } from './Review.tsx'
import type { ReviewContext } from './ReviewCard.tsx'
import { StateView } from './StateView.tsx'
import { useTexts } from './texts.ts'
import type { Submitted } from './useApproving.ts'
import type { Listed } from './useList.ts'

interface ApprovingProps {
  readonly settings: Settings
  readonly listed: Listed
  readonly operator: string | null
  readonly onOperator: (operator: string) => void
  readonly noKey: NoKey | null
}

type Reviewing =
  | { readonly purpose: 'withdrawals'; readonly rows: readonly Row[] }
  | { readonly purpose: 'decisions'; readonly decisions: readonly Decision[] }

type Stage =
  /** `otherKey`: the operator whose passkey it was, where another one had chosen. */
  | { readonly at: 'choosing'; readonly otherKey: string | null }
  | { readonly at: 'reviewing'; readonly reviewing: Reviewing }
  | { readonly at: 'submitted'; readonly submitted: Submitted }

const CHOOSING: Stage = { at: 'choosing', otherKey: null }

export function Approving(props: ApprovingProps) {
  const { settings, listed, operator, onOperator } = props
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [chosenDecisions, setChosenDecisions] = useState<ChosenDecisions>(new Map())
  const [stage, setStage] = useState(CHOOSING)
  const { say } = useTexts()
  const { list } = listed
  if (list === null) return null
  if (stage.at === 'submitted') {
    const finish = (isVoid: boolean) => {
      if (!isVoid && stage.submitted.purpose === 'decisions') setChosenDecisions(new Map())
      else if (!isVoid) setChosen(new Map())
      setStage(CHOOSING)
      void listed.refresh()
    }
    return <StateView submitted={stage.submitted} onDone={finish} />
  }
  if (stage.at === 'reviewing') {
    const context = {
      ...props,
      ahead: listed.ahead,
      onOtherKey: (owner: string) => {
        onOperator(owner)
        setStage({ at: 'choosing', otherKey: owner })
      },
      onBack: () => setStage(CHOOSING),
      onSubmitted: (submitted: Submitted) => setStage({ at: 'submitted', submitted }),
    }
    return <Reviewed list={list} reviewing={stage.reviewing} context={context} />
  }
  const review = (reviewing: Reviewing) => setStage({ at: 'reviewing', reviewing })
  return (
    <div className="stack-16">
      {stage.otherKey === null ? null : (
        <div role="alert">
          <Notice kind="wait">{say('otherKey', { name: nameOf(list.operators, stage.otherKey) })}</Notice>
        </div>
      )}
      <DecisionsView
        fresh={list.decisions}
        operator={operator}
        offline={settings.offline}
        chosen={chosenDecisions}
        setChosen={setChosenDecisions}
        onReview={(decisions) => review({ purpose: 'decisions', decisions })}
      />
      <ListView
        list={list}
        operator={operator}
        chosen={chosen}
        setChosen={setChosen}
        onReview={(rows) => review({ purpose: 'withdrawals', rows })}
      />
    </div>
  )
}

interface ReviewedProps {
  readonly list: List
  readonly reviewing: Reviewing
  readonly context: ReviewContext
}

function Reviewed({ list, reviewing, context }: ReviewedProps) {
  if (reviewing.purpose === 'decisions')
    return <DecisionReview context={context} decisions={reviewing.decisions} fresh={list.decisions} />
  const { rows } = reviewing
  const marked = shownRows(list.rows, new Map(rows.map((row) => [row.id, row])))
  return <Review context={context} rows={rows} marked={marked.filter(({ mark }) => mark !== null).length} />
}

const nameOf = (operators: readonly Operator[], id: string): string =>
  operators.find((operator) => operator.id === id)?.username ?? id

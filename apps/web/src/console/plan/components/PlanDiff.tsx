import { useTranslation } from 'react-i18next'
import { IconChevronRight } from '../../../ui/icons.ts'
import { type PlanChange, type PlanPath, SECTIONS } from '../planFields.ts'
import { usePlanValue } from './usePlanValue.ts'

const sectionOf = (path: PlanPath) =>
  SECTIONS.find(({ fields }) => fields.some((field) => field.path === path))?.key ?? 'general'

/** What changes, setting by setting: what it was, and what it becomes. */
export function PlanDiff({ changes }: { changes: PlanChange[] }) {
  const { t } = useTranslation('console/plan')
  const say = usePlanValue()
  return (
    <dl className="diff">
      {changes.map(({ path, kind, before, after }) => (
        <div key={path}>
          <dt>
            <span className="muted small">{t(`section.${sectionOf(path)}.title`)}</span>
            {t(`field.${path}`)}
          </dt>
          <dd>
            <del>
              <span className="visually-hidden">{t('diff.before')}: </span>
              {say(kind, before)}
            </del>
            <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />
            <ins>
              <span className="visually-hidden">{t('diff.after')}: </span>
              {say(kind, after)}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

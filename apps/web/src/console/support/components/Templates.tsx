import type { SupportTemplate } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formats } from '../../../ui/format.ts'
import { IconChevronLeft, IconPlus } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { EmptyState, Loaded, Skeleton, SkeletonCard } from '../../../ui/States.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { placeLink } from '../../shared/place.ts'
import { useSupportTemplatesQuery, useTemplateVersionsQuery } from '../templates.ts'
import { TemplateForm } from './TemplateForm.tsx'

/** The ready texts: what each says in both languages, who changed it last, and what it said before. */
export function Templates() {
  const { t } = useTranslation(['console/support', 'console/shared'])
  const { may } = useAbilities()
  const query = useSupportTemplatesQuery()
  /** The one that is edited; `new` for another one. */
  const [edited, setEdited] = useState<SupportTemplate | 'new' | null>(null)
  const canEdit = may('support.answer')
  return (
    <>
      <PageHead
        title={`${t('templates.title')} · ${t('console/shared:title')}`}
        heading={t('templates.title')}
        text={t('templates.text')}
        action={
          canEdit ? (
            <Button
              kind="primary"
              icon={<IconPlus size={16} stroke={1.8} />}
              onClick={() => setEdited('new')}
            >
              {t('templates.add')}
            </Button>
          ) : null
        }
      />
      <Link to={placeLink('support')} className="back-link">
        <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
        <span>{t('back')}</span>
      </Link>
      <Loaded query={query} hold={<SkeletonCard bars={HOLD} />} card>
        {({ results }) =>
          results.length === 0 ? (
            <div className="card">
              <EmptyState text={t('templates.none')} />
            </div>
          ) : (
            <ul className="templates">
              {results.map((template) => (
                <li key={template.id} className="card card-pad stack-12">
                  <Template template={template} onEdit={canEdit ? () => setEdited(template) : undefined} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {edited === null ? null : (
        <TemplateForm template={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

const HOLD = [
  [200, 24],
  ['70%', 40],
] as const

interface TemplateProps {
  template: SupportTemplate
  onEdit: (() => void) | undefined
}

function Template({ template, onEdit }: TemplateProps) {
  const { t } = useTranslation('console/support')
  const [history, setHistory] = useState(false)
  const changed = { operator: template.operator, time: formats.shortStamp(template.date) }
  return (
    <>
      <div className="row-8 row-apart">
        <h2 className="side-title">{template.name}</h2>
        <div className="row-8 row-end">
          {template.version === 1 ? null : (
            <Button size="small" kind="quiet" onClick={() => setHistory(true)}>
              {t('templates.history')}
            </Button>
          )}
          {onEdit === undefined ? null : (
            <Button size="small" onClick={onEdit} aria-label={t('templates.editOf', { name: template.name })}>
              {t('templates.edit')}
            </Button>
          )}
        </div>
      </div>
      <TemplateTexts template={template} />
      <p className="muted tiny">
        {t(template.version === 1 ? 'templates.made' : 'templates.changed', changed)}
      </p>
      {history ? <History template={template} onClose={() => setHistory(false)} /> : null}
    </>
  )
}

function TemplateTexts({ template }: { template: SupportTemplate }) {
  const { t } = useTranslation('console/support')
  return (
    <div className="template-texts">
      {(['es', 'en'] as const).map((language) => (
        <div key={language} className="stack-6">
          <h3 className="muted small">{t(`templates.${language}`)}</h3>
          <p lang={language}>{template[`text_${language}`]}</p>
        </div>
      ))}
    </div>
  )
}

function History({ template, onClose }: { template: SupportTemplate; onClose: () => void }) {
  const { t } = useTranslation('console/support')
  return (
    <Dialog title={t('templates.historyOf', { name: template.name })} width={720} onClose={onClose}>
      <Loaded query={useTemplateVersionsQuery(template.id)} hold={<Skeleton width="100%" height={160} />}>
        {({ results }) => (
          <ol className="stack-12">
            {results.map((version) => (
              <li key={version.version} className="box stack-8">
                <p className="row-8 row-apart small">
                  <strong>{version.name}</strong>
                  <span className="muted">
                    <Name text={version.operator} />
                    <span>{` · ${formats.shortStamp(version.date)}`}</span>
                  </span>
                </p>
                <TemplateTexts template={version} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Dialog>
  )
}

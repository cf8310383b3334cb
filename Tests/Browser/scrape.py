"""What a real Prometheus has of a worker's metrics, against what `deploy/` asks of it."""
import json
import pathlib
import re
import subprocess
import urllib.parse
import urllib.request

DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"


def lint(url):
    """Fails with the complaints of `promtool check metrics`, where it has any."""
    with urllib.request.urlopen(f"{url}metrics") as answer:
        checked = subprocess.run(["promtool", "check", "metrics"], input=answer.read(), capture_output=True)
    assert checked.returncode == 0 and not checked.stderr, checked.stderr.decode()


class Prometheus:
    def __init__(self, url):
        self.url = url

    def ask(self, path, **arguments):
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(arguments)}") as answer:
            return json.load(answer)["data"]

    def silent(self):
        """Returns the questions of alerts and dashboard that have no answer."""
        return [question for question in metric_names() + panel_expressions() if not self.ask("query", query=question)["result"]]

    def broken_rules(self):
        """Returns the alert rules that cannot be evaluated."""
        rules = [rule for group in self.ask("rules")["groups"] for rule in group["rules"]]
        assert rules, "no rule is loaded"
        return [f"{rule['name']}: {rule.get('lastError')}" for rule in rules if rule["health"] != "ok"]


def metric_names():
    """Returns the names of the metrics that alerts and dashboard use."""
    texts = [(DEPLOY / name).read_text() for name in ("alerts.yml", "grafana-dashboard.json")]
    return sorted(set(re.findall(r"waygate_[a-z_]+", " ".join(texts))))


def panel_expressions():
    """Returns the dashboard's expressions, as Grafana asks them."""
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    variables = {"$job": "waygate", "$instance": ".+", "$__rate_interval": "5m"}
    expressions = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
    return [re.sub(r"\$\w+", lambda name: variables[name[0]], expression) for expression in expressions]

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.elasticsearch.Build;
import org.elasticsearch.ResourceNotFoundException;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.IndexScopedSettings;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.settings.SettingsFilter;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerScope;
import org.elasticsearch.index.mapper.DocumentParserContext;
import org.elasticsearch.index.mapper.FieldMapper;
import org.elasticsearch.index.mapper.MappedFieldType;
import org.elasticsearch.index.mapper.Mapper;
import org.elasticsearch.index.mapper.MapperBuilderContext;
import org.elasticsearch.index.mapper.SourceValueFetcher;
import org.elasticsearch.index.mapper.TextSearchInfo;
import org.elasticsearch.index.mapper.ValueFetcher;
import org.elasticsearch.index.query.SearchExecutionContext;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.MapperPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestChannel;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;

/**
 * Stands for the modules of a distribution that are not published: what `GET /` answers, the analyzer `english` (the
 * one of Lucene, which the module wraps as well), and a cluster without inference: the field type `semantic_text` can be
 * mapped, stores its text, and finds nothing, and no inference endpoint exists.
 */
public final class MissingModules extends Plugin implements ActionPlugin, AnalysisPlugin, MapperPlugin {
  @Override
  public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
    return Map.of("english", (index, environment, name, settings) -> new AnalyzerProvider<Analyzer>() {
      private final Analyzer english = new EnglishAnalyzer();

      @Override public String name() { return name; }
      @Override public AnalyzerScope scope() { return AnalyzerScope.INDEX; }
      @Override public Analyzer get() { return english; }
    });
  }

  @Override
  public Map<String, Mapper.TypeParser> getMappers() {
    return Map.of("semantic_text", new FieldMapper.TypeParser((name, context) -> new SemanticText.Builder(name)));
  }

  @Override
  public Collection<RestHandler> getRestHandlers(
      Settings settings, NamedWriteableRegistry registry, RestController controller, ClusterSettings clusterSettings,
      IndexScopedSettings indexSettings, SettingsFilter filter, IndexNameExpressionResolver resolver,
      Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features) {
    return List.of(
        new Endpoint("/", MissingModules::info),
        new Endpoint("/_inference/{inference_id}", MissingModules::noInference));
  }

  private static void info(RestRequest request, RestChannel channel) throws IOException {
    var build = Build.current();
    var body = channel.newBuilder().startObject().startObject("version");
    body.field("number", build.version()).field("build_flavor", build.flavor()).endObject().endObject();
    channel.sendResponse(new RestResponse(RestStatus.OK, body));
  }

  private static void noInference(RestRequest request, RestChannel channel) throws IOException {
    var id = request.param("inference_id");
    channel.sendResponse(
        new RestResponse(channel, new ResourceNotFoundException("Inference endpoint not found [" + id + "]")));
  }

  private interface Answer {
    void send(RestRequest request, RestChannel channel) throws IOException;
  }

  private static final class Endpoint extends BaseRestHandler {
    private final String path;
    private final Answer answer;

    Endpoint(String path, Answer answer) {
      this.path = path;
      this.answer = answer;
    }

    @Override public String getName() { return "readback " + path; }
    @Override public List<Route> routes() { return List.of(new Route(RestRequest.Method.GET, path)); }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
      request.param("inference_id");
      return channel -> answer.send(request, channel);
    }
  }

  private static final class SemanticText extends FieldMapper {
    private final String inferenceId;

    private SemanticText(String name, MappedFieldType type, BuilderParams params, String inferenceId) {
      super(name, type, params);
      this.inferenceId = inferenceId;
    }

    @Override public boolean parsesArrayValue() { return true; }
    @Override protected boolean supportsParsingObject() { return true; }
    @Override protected String contentType() { return "semantic_text"; }
    @Override public FieldMapper.Builder getMergeBuilder() { return new Builder(leafName()).init(this); }

    @Override
    protected void parseCreateField(DocumentParserContext context) throws IOException {
      context.parser().skipChildren();
    }

    private static final class Builder extends FieldMapper.Builder {
      private final Parameter<String> inferenceId = Parameter.stringParam(
          "inference_id", true, mapper -> ((SemanticText) mapper).inferenceId, "").alwaysSerialize();

      Builder(String name) {
        super(name);
      }

      @Override protected Parameter<?>[] getParameters() { return new Parameter<?>[] {inferenceId}; }

      @Override
      public FieldMapper build(MapperBuilderContext context) {
        var type = new FieldType(context.buildFullName(leafName()));
        return new SemanticText(leafName(), type, builderParams(this, context), inferenceId.get());
      }
    }

    private static final class FieldType extends MappedFieldType {
      FieldType(String name) {
        super(name, false, false, false, TextSearchInfo.NONE, Map.of());
      }

      @Override public String typeName() { return "semantic_text"; }

      @Override
      public ValueFetcher valueFetcher(SearchExecutionContext context, String format) {
        return SourceValueFetcher.identity(name(), context, format);
      }

      @Override
      public org.apache.lucene.search.Query termQuery(Object value, SearchExecutionContext context) {
        throw new IllegalArgumentException("This node has no inference.");
      }
    }
  }
}
